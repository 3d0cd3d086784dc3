/** Operations on Context, beyond their summaries. */
export const operationsOfContext: Readonly<Record<string, string>> = {
  'contextSuggestions.act':
    'One route with four actions. `snapshot` reads a record, `submit` suggests a change to it, `list` shows your suggestions, `withdraw` withdraws a pending one.',
  'contextRecords.list':
    'A record matches if its id or its fields have every word of the search. `excerpt` is the text around the first match.',
  'contextRecords.create':
    'Fields that you leave out are empty; only the name is required. An organization can have 5,000 records. Admins only.',
  'contextRecords.get': 'Keep `revision` for `expectedRevision` when you restore a version.',
  'contextVersions.list':
    'Every change of a record is a version. The first version of a record that is older than its history has the cause `kept`.',
  'contextVersions.get': 'The newest version is the current record.',
  'contextVersions.restore':
    'Fails with 409, and writes nothing, if somebody changed the record since you read it. Restoring what the record already has creates no revision. Everyone else in the organization is notified. Admins only.',
  'contextSuggestions.list':
    'Everyone in the organization can read them. `current` has the proposed fields as the record has them now; they differ from `base` if the record changed since.',
  'contextSuggestions.get': 'Everyone in the organization can read it.',
  'contextSuggestions.decide':
    'Accepting writes the proposed fields as the next revision of the record. It fails with 409, and changes nothing, if the record changed since the suggestion was made; such a suggestion can only be rejected. A suggestion is decided once. Its author is notified, with the note. Admins only.',
}

/** Their path parameters. */
export const contextPathParameters = {
  'contextRecords.kind': ['The kind of the record.', 'product'],
  'contextVersions.kind': ['The kind of the record.', 'product'],
  targetId: ['The id of the record.', 'assay'],
  revision: ['The revision, as listed.', '3'],
  suggestionId: ['The id of the suggestion.', '019a1f2c-8f60-7000-8000-0000000000c1'],
} as const

/** Their query parameters. */
export const contextQueryParameters = {
  'contextRecords.search': ['Words that the id or the fields contain, in upper or lower case.', 'small teams'],
  'contextRecords.kind': ['Only records of these kinds.', ['product']],
  pending: ['Only records that have, or do not have, pending suggestions.', true],
  'contextRecords.sort': [
    'The order: `name` or `changed`, with `-` before it for descending order. The default is `name`.',
    '-changed',
  ],
  'contextSuggestions.status': ['Only suggestions with one of these statuses.', ['pending']],
  'contextSuggestions.kind': ['Only suggestions for records of this kind.', 'product'],
  'contextSuggestions.targetId': ['Only suggestions for records with this id.', 'assay'],
  'contextSuggestions.own': ['Set it to true for your own suggestions only.', true],
  'contextSuggestions.search': [
    'Words that the reason, the author’s name, the proposed fields, or the id or name of the record contain, in upper or lower case.',
    'small teams',
  ],
  'contextSuggestions.sort': ['`created`, or `-created` for the newest first, which is the default.', 'created'],
} as const
