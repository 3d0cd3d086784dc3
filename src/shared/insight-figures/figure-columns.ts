/** The columns of a figure, named for its readers and typed like those of a query. */
export const text = (name: string) => ({ name, type: 'String' })
export const number = (name: string) => ({ name, type: 'Nullable(Float64)' })

/** Rounds to six digits, so that a different order of summation does not count as drift. */
export const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(6)))

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
