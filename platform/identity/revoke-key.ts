import { z } from 'zod'

import type { Services } from '#platform/context.ts'
import { notFound } from '#platform/failure.ts'
import { forgetCallers } from './known-callers.ts'
import { revokeKey as revoke } from './store.ts'

/** Revokes a key by its id: its next request is `unauthenticated`, and so ends every session that holds it. Twice is once. */
export async function revokeKey({ db }: Pick<Services, 'db'>, id: string) {
  if (!z.uuid().safeParse(id).success || !(await revoke(db, id))) throw notFound(`There is no key "${id}"`)
  forgetCallers(db)
}
