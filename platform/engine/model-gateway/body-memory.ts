const mebibyte = 1024 * 1024

/** The largest sums of request bodies in memory. An organization cannot use the memory of the others. */
const most = { worker: 256 * mebibyte, organization: 128 * mebibyte, run: 64 * mebibyte }

/** Whose requests left no room. */
export type FullMemory = keyof typeof most

/** Counts the bytes of one run's request bodies in memory. Those of a run also count for its organization and worker. */
export type BodyMemory = {
  organizationId: string
  /** Counts nothing if there is no room, and returns whose share is full. */
  take: (bytes: number) => FullMemory | null
  free: (bytes: number) => void
}

/** The memory of a worker. `maxBytes` replaces some of its limits. */
export function workerMemory(maxBytes: Partial<typeof most> = {}) {
  const limits = { ...most, ...maxBytes }
  const organizations = new Map<string, number>()
  let ofWorker = 0
  return {
    ofRun(organizationId: string): BodyMemory {
      let ofRun = 0
      const add = (bytes: number) => {
        const ofOrganization = (organizations.get(organizationId) ?? 0) + bytes
        if (ofOrganization > 0) organizations.set(organizationId, ofOrganization)
        else organizations.delete(organizationId)
        ofRun += bytes
        ofWorker += bytes
      }
      return {
        organizationId,
        take(bytes) {
          if (ofRun + bytes > limits.run) return 'run'
          if ((organizations.get(organizationId) ?? 0) + bytes > limits.organization) return 'organization'
          if (ofWorker + bytes > limits.worker) return 'worker'
          add(bytes)
          return null
        },
        free: (bytes) => add(-bytes),
      }
    },
  }
}
