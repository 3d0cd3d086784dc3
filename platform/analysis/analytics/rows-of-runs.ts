const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The condition of a DELETE. Its ids are inserted as text, so they must be ours. The list is of plain texts: the engine
 * takes a millisecond for each call of toUUID in it, also where no row is found.
 */
export function isRowOfRuns(organizationId: string, runIds: readonly string[]) {
  if (![organizationId, ...runIds].every((id) => uuid.test(id)))
    throw new Error('Not the ids of an organization and its runs')
  return `organization_id = toUUID('${organizationId}') AND run_id IN (${runIds.map((id) => `'${id}'`).join(', ')})`
}
