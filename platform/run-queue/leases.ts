import { sql } from 'drizzle-orm'

/** Who works, and how long its claims last without a heartbeat. `workerId` must be new for every process. */
export type Worker = { workerId: string; leaseSeconds: number }

/** The database's clock is the only one that leases are measured with. */
export const leaseFrom = ({ workerId, leaseSeconds }: Worker) => ({
  leaseOwner: workerId,
  leaseExpiresAt: sql<string>`now() + make_interval(secs => ${leaseSeconds})`,
})

export const noLease = { leaseOwner: null, leaseExpiresAt: null }

/** A run or build whose worker was lost this often is given up. */
export const maxLosses = 3
