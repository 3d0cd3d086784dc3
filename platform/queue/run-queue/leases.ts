import { sql } from 'drizzle-orm'

/** A worker, and how many seconds its claims last without a heartbeat. `workerId` must be unique to the process. */
export type Worker = { workerId: string; leaseSeconds: number }

/** How long a worker may be silent, in seconds. Its runs are requeued soon afterwards. */
export const defaultLeaseSeconds = 8

/** Expiry is measured by the database's clock only. */
export const newLease = ({ workerId, leaseSeconds }: Worker) => ({
  leaseOwner: workerId,
  leaseExpiresAt: sql<string>`now() + make_interval(secs => ${leaseSeconds})`,
})

export const noLease = { leaseOwner: null, leaseExpiresAt: null }
