//! Completion scripts of shells: those of clap, and the paths of nodes in the file that was named before.

/// Sub-commands whose arguments after the first file are paths.
const WITH_PATHS: [&str; 9] = ["copy", "delete", "get", "head", "rename", "select", "set", "show", "stat"];

/// Returns what is added to the script of bash: paths complete the arguments after a file.
pub(crate) fn of_bash() -> String {
    format!(
        r#"
_asdfkit_with_paths() {{
    local file="" word i current="${{COMP_WORDS[COMP_CWORD]}}"
    case " {names} " in
    *" ${{COMP_WORDS[1]}} "*)
        for ((i = 2; i < COMP_CWORD; i++)); do
            word="${{COMP_WORDS[i]}}"
            if [[ -f "$word" ]]; then
                file="$word"
                break
            fi
        done
        ;;
    esac
    if [[ -n "$file" && "$current" != -* ]]; then
        local IFS=$'\n'
        COMPREPLY=($("${{COMP_WORDS[0]}}" complete "$file" "$current" 2>/dev/null) $(compgen -f -- "$current"))
        compopt -o nospace 2>/dev/null
        return 0
    fi
    _asdfkit "$@"
}}
complete -F _asdfkit_with_paths -o nosort -o bashdefault -o default asdfkit 2>/dev/null ||
    complete -F _asdfkit_with_paths -o bashdefault -o default asdfkit
"#,
        names = WITH_PATHS.join(" ")
    )
}

/// Returns what is added to the script of fish.
pub(crate) fn of_fish() -> String {
    format!(
        r#"
function __asdfkit_paths
    for word in (commandline -opc)[3..-1]
        if test -f "$word"
            asdfkit complete "$word" (commandline -ct) 2>/dev/null
            return
        end
    end
end
complete -c asdfkit -n "__fish_seen_subcommand_from {names}" -a "(__asdfkit_paths)"
"#,
        names = WITH_PATHS.join(" ")
    )
}

/// Returns the script of zsh, whose function calls that of clap for everything else.
pub(crate) fn of_zsh(script: &str) -> String {
    let added = format!(
        r#"
_asdfkit_with_paths() {{
    local word file=""
    if [[ " {names} " == *" ${{words[2]}} "* ]]; then
        for word in "${{(@)words[3,CURRENT-1]}}"; do
            if [[ -f "$word" ]]; then
                file="$word"
                break
            fi
        done
    fi
    if [[ -n "$file" && "$PREFIX" != -* ]]; then
        local -a found
        found=("${{(@f)$("${{words[1]}}" complete "$file" "$PREFIX" 2>/dev/null)}}")
        compadd -S "" -Q -a found
        _files
        return
    fi
    _asdfkit "$@"
}}
"#,
        names = WITH_PATHS.join(" ")
    );
    // The last lines of clap's script call or register its function.
    match script.rfind("if [ \"$funcstack[1]\"") {
        Some(end) => {
            let last = script[end..].replace("    _asdfkit \"$@\"", "    _asdfkit_with_paths \"$@\"");
            let last = last.replace("compdef _asdfkit asdfkit", "compdef _asdfkit_with_paths asdfkit");
            format!("{}{added}\n{last}", &script[..end])
        }
        None => script.to_owned(),
    }
}
