import { invalid } from '#platform/failures/failure.ts'

/** chDB runs only what stands before a NUL, and no statement needs one. */
export function refuseNul(sql: string) {
  if (sql.includes('\0')) throw invalid('SQL may not hold a NUL character')
}
