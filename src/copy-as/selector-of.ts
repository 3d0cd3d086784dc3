/** What a submit takes: which variants of which version, and how they run. */
export type Selection = {
  version?: string | undefined
  variantIds: readonly string[]
  repeat?: number
  flags?: readonly string[]
  mock?: boolean
}

const listOf = (name: string, values: readonly string[]) =>
  `${name}:${values.length === 0 ? ' []' : values.map((value) => `\n  - ${JSON.stringify(value)}`).join('')}`

/** The selection of a submit in YAML, each value quoted as JSON, which YAML reads alike. */
export const selectorOf = ({ version, variantIds, repeat, flags = [], mock }: Selection): string =>
  [
    ...(version === undefined ? [] : [`version: ${JSON.stringify(version)}`]),
    listOf('variantIds', variantIds),
    ...(repeat === undefined ? [] : [`repeat: ${repeat}`]),
    ...(flags.length === 0 ? [] : [listOf('flags', flags)]),
    ...(mock ? ['mock: true'] : []),
    '',
  ].join('\n')
