/** The paths of a sandbox inside, where its commands find them. */
export const workspace = '/workspace'
export const home = '/home/agent'
export const nodeFolder = '/opt/node'
export const clientsMount = '/opt/agents'
export const sourceMount = '/source'

/** Where a sandbox with an image's root also mounts its workspace, so that a later service recognizes its processes. */
export const workspaceMark = '/dev/assay'

/** A mount point inside the world's own mount namespace. A sandbox needs none of the real content of /sys. */
export const stage = '/sys'

/** Host paths bound into the sandbox that only the service may read, by name. */
export type Mounts = ReadonlyMap<string, string>
