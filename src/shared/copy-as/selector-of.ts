/** The input of a submission: which variants of which version, and how to run them. */
export type Selection = {
  version?: string | undefined
  variantIds: readonly string[]
  repeat?: number
  flags?: readonly string[]
  mock?: boolean
}

const listOf = (name: string, values: readonly string[]) =>
  `${name}:${values.length === 0 ? ' []' : values.map((value) => `\n  - ${JSON.stringify(value)}`).join('')}`

/** The selection of a submission in YAML. Values are quoted as JSON, which is valid YAML. */
export const selectorOf = ({ version, variantIds, repeat, flags = [], mock }: Selection): string =>
  [
    ...(version === undefined ? [] : [`version: ${JSON.stringify(version)}`]),
    listOf('variantIds', variantIds),
    ...(repeat === undefined ? [] : [`repeat: ${repeat}`]),
    ...(flags.length === 0 ? [] : [listOf('flags', flags)]),
    ...(mock ? ['mock: true'] : []),
    '',
  ].join('\n')
