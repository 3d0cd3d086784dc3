import type { ResultColumn } from '#contract/queries.ts'
import type { FileColumn } from '#platform/ground/table-files/table-file.ts'

/** The type in a file by the engine's type. Other types, such as UUID and Decimal, stay text, which loses nothing. */
const types: [RegExp, FileColumn['type']][] = [
  [/^(U?Int(8|16)|Int32)$/, 'integer'],
  [/^(UInt32|Int64)$/, 'long'],
  [/^(Float(32|64)|BFloat16)$/, 'float'],
  [/^Bool$/, 'boolean'],
  [/^Date(32)?$/, 'date'],
  [/^DateTime(\('(UTC|Etc\/UTC)'\)|64\(\d(, '(UTC|Etc\/UTC)')?\))?$/, 'time'],
  [/^(Array|Map|Tuple|JSON)\b/, 'json'],
]

export const toFileColumn = ({ name, type }: ResultColumn): FileColumn => {
  const plain = withoutWrappers(type)
  // `count()` is a UInt64, whose upper half no result reaches; other values of it stay text.
  return { name, type: types.find(([pattern]) => pattern.test(plain))?.[1] ?? (plain === 'UInt64' ? 'long' : 'text') }
}

const withoutWrappers = (type: string): string => {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1]
  return inner === undefined ? type : withoutWrappers(inner)
}
