//! Compounds: chains, joins, arithmetic, and transforms with fixed inputs.

use super::arity;
use super::fields::{Fields, content, items, quantity, refused};
use super::made::Made;
use crate::error::{Result, Status};
use crate::file::{Node, NodeType};
use crate::wcs::kernel::elementary::Arithmetic;
use crate::wcs::model::{Operation, Part, joined};
use std::sync::Arc;

/// Returns the transforms in a compound.
pub(super) fn children(name: &str, fields: &Fields) -> Result<Vec<Node>> {
    let forward = operands(fields)?;
    Ok(if name == "fix_inputs" { forward.into_iter().take(1).collect() } else { forward })
}

fn operands(fields: &Fields) -> Result<Vec<Node>> {
    let forward = items(&fields.required("forward")?)?;
    if forward.len() != 2 {
        return fields.bad("forward", &format!("expected two transforms, found {}", forward.len()));
    }
    Ok(forward)
}

pub(super) fn make(name: &str, fields: &Fields, children: &[usize], parts: &mut [Part]) -> Result<Made> {
    let first = children.first().copied().unwrap_or_default();
    if name == "fix_inputs" {
        return fix(fields, first, parts);
    }
    let second = children.get(1).copied().unwrap_or_default();
    let ((inputs, outputs), (inputs_too, outputs_too)) = (arity(parts, first), arity(parts, second));
    let (left, right) = (&parts[first], &parts[second]);
    let (operation, inputs, outputs) = match name {
        "compose" => {
            if outputs != inputs_too {
                let message = format!("the first transform has {outputs} outputs, the second {inputs_too} inputs");
                return refused(&fields.node, Status::Arity, &message);
            }
            (Operation::Compose(first, second), left.inputs.clone(), right.outputs.clone())
        }
        "concatenate" => {
            let joined = (joined(&left.inputs, &right.inputs), joined(&left.outputs, &right.outputs));
            (Operation::Concatenate(first, second), joined.0, joined.1)
        }
        _ => {
            if inputs != inputs_too || outputs != outputs_too {
                return refused(&fields.node, Status::Arity, "the transforms have other numbers of inputs or outputs");
            }
            let operator = Arithmetic::named(name).unwrap_or(Arithmetic::Add);
            (Operation::Arithmetic(operator, first, second), left.inputs.clone(), left.outputs.clone())
        }
    };
    let mut made = Made::operation(operation, 0, 0);
    made.part.has_units = left.has_units || right.has_units;
    (made.part.inputs, made.part.outputs) = (inputs, outputs);
    Ok(made)
}

fn fix(fields: &Fields, of: usize, parts: &[Part]) -> Result<Made> {
    let [_, second] = &operands(fields)?[..] else { return fields.bad("forward", "expected two entries") };
    let fixed = Fields::new(second)?;
    let (keys, values) = (items(&fixed.required("keys")?)?, items(&fixed.required("values")?)?);
    if keys.len() != values.len() {
        return refused(second, Status::TagContent, "expected as many values as keys");
    }
    let inner = &parts[of];
    let mut pairs: Vec<(usize, f64)> = Vec::new();
    for (key, value) in keys.iter().zip(&values) {
        let input = match key.node_type("")? {
            NodeType::Integer => {
                usize::try_from(content(key.i64(""))?).ok().filter(|input| *input < inner.inputs.len())
            }
            _ => {
                let name = content(key.string(""))?;
                inner.inputs.iter().position(|input| *input == name)
            }
        };
        let Some(input) = input.filter(|input| pairs.iter().all(|(other, _)| other != input)) else {
            return refused(key, Status::TagContent, "the transform has no such input, or it is fixed twice");
        };
        pairs.push((input, quantity(value)?.value));
    }
    let names = inner.inputs.iter().enumerate().filter(|(input, _)| pairs.iter().all(|(fixed, _)| fixed != input));
    let names: Vec<String> = names.map(|(_, name)| name.clone()).collect();
    let limits = inner.limits.as_ref().and_then(|limits| limits.fixed(&pairs)).map(Arc::new);
    let mut made = Made::operation(Operation::Fix(of, pairs), 0, 0);
    made.part.has_units = inner.has_units;
    made.part.limits = limits;
    (made.part.inputs, made.part.outputs) = (names, inner.outputs.clone());
    Ok(made)
}
