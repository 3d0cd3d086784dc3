const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The condition of a DELETE. Its ids are inserted as text, so they must be ours. */
export function isRowOfRuns(organizationId: string, runIds: readonly string[]) {
  const ids = [organizationId, ...runIds]
  if (!ids.every((id) => uuid.test(id))) throw new Error('Not the ids of an organization and its runs')
  const [ofOrganization, ...ofRuns] = ids.map((id) => `toUUID('${id}')`)
  return `organization_id = ${ofOrganization} AND run_id IN (${ofRuns.join(', ')})`
}
