/** What a field means, and one value it can have. The example is left out where the field's own schema gives one (an enum, a boolean, an object). */
export type FieldText = readonly [description: string, example?: unknown]

/**
 * Texts by field. `name` holds for every field of that name; `Schema.name` for the field of one schema and wins over it.
 * Paths name their parents: `Run.timeLimit.hit`.
 */
export type FieldTexts = Readonly<Record<string, FieldText>>
