/**
 * The description of a field and an example value. The example is omitted if the field's schema already has one (an
 * enum, a boolean, an object).
 */
export type FieldText = readonly [description: string, example?: unknown]

/**
 * Descriptions by field. `name` applies to every field with that name; `Schema.name` applies to the field of one schema
 * and takes precedence. Paths include the parents: `Run.timeLimit.hit`.
 */
export type FieldTexts = Readonly<Record<string, FieldText>>
