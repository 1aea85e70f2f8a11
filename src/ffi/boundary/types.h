/**
 * In place of the length of a text that is passed as pointer and length: the text ends at its first NUL. It is refused
 * for binary data.
 */
#define ASDF_NUL_TERMINATED SIZE_MAX

