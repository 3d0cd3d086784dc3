/** What a submit takes: which variants of which version. */
export type Selection = { version?: string | undefined; variantIds: readonly string[]; repeat?: number; mock?: boolean }

/** The selection of a submit in YAML, each value quoted as JSON, which YAML reads alike. */
export const selectorOf = ({ version, variantIds, repeat, mock }: Selection): string =>
  [
    ...(version === undefined ? [] : [`version: ${JSON.stringify(version)}`]),
    variantIds.length === 0
      ? 'variantIds: []'
      : `variantIds:\n${variantIds.map((id) => `  - ${JSON.stringify(id)}`).join('\n')}`,
    ...(repeat === undefined ? [] : [`repeat: ${repeat}`]),
    ...(mock ? ['mock: true'] : []),
    '',
  ].join('\n')
