//! The schema of schemas of draft 4, to which others refer by its URI.

/// URI of draft 4.
pub(super) const URI: &str = "http://json-schema.org/draft-04/schema";

/// Schema of schemas of draft 4, in words of this project.
pub(super) const TEXT: &str = r##"
id: http://json-schema.org/draft-04/schema#
$schema: http://json-schema.org/draft-04/schema#
definitions:
  count: {type: integer, minimum: 0}
  names: {type: array, minItems: 1, uniqueItems: true, items: {type: string}}
  schemas: {type: array, minItems: 1, items: {$ref: '#'}}
  mapping: {type: object, additionalProperties: {$ref: '#'}}
  rest: {anyOf: [{type: boolean}, {$ref: '#'}]}
  positiveInteger: {$ref: '#/definitions/count'}
  positiveIntegerDefault0: {$ref: '#/definitions/count'}
  schemaArray: {$ref: '#/definitions/schemas'}
  stringArray: {$ref: '#/definitions/names'}
  simpleTypes: {enum: [array, boolean, integer, 'null', number, object, string]}
type: object
dependencies: {exclusiveMinimum: [minimum], exclusiveMaximum: [maximum]}
properties:
  id: {type: string}
  $schema: {type: string}
  title: {type: string}
  description: {type: string}
  default: {}
  type:
    anyOf:
    - $ref: '#/definitions/simpleTypes'
    - {type: array, minItems: 1, uniqueItems: true, items: {$ref: '#/definitions/simpleTypes'}}
  enum: {type: array, minItems: 1, uniqueItems: true}
  format: {type: string}
  multipleOf: {type: number, minimum: 0, exclusiveMinimum: true}
  minimum: {type: number}
  maximum: {type: number}
  exclusiveMinimum: {type: boolean}
  exclusiveMaximum: {type: boolean}
  minLength: {$ref: '#/definitions/count'}
  maxLength: {$ref: '#/definitions/count'}
  pattern: {type: string, format: regex}
  items: {anyOf: [{$ref: '#'}, {$ref: '#/definitions/schemas'}]}
  additionalItems: {$ref: '#/definitions/rest'}
  minItems: {$ref: '#/definitions/count'}
  maxItems: {$ref: '#/definitions/count'}
  uniqueItems: {type: boolean}
  required: {$ref: '#/definitions/names'}
  properties: {$ref: '#/definitions/mapping'}
  patternProperties: {$ref: '#/definitions/mapping'}
  additionalProperties: {$ref: '#/definitions/rest'}
  minProperties: {$ref: '#/definitions/count'}
  maxProperties: {$ref: '#/definitions/count'}
  dependencies:
    type: object
    additionalProperties: {anyOf: [{$ref: '#'}, {$ref: '#/definitions/names'}]}
  definitions: {$ref: '#/definitions/mapping'}
  allOf: {$ref: '#/definitions/schemas'}
  anyOf: {$ref: '#/definitions/schemas'}
  oneOf: {$ref: '#/definitions/schemas'}
  not: {$ref: '#'}
"##;
