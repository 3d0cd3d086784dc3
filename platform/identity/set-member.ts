import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { Role } from '#contract/identity.ts'
import type { Services } from '#platform/context.ts'
import { invalid } from '#platform/failure.ts'
import { keepAnAdmin } from './keep-an-admin.ts'
import { forgetCallers } from './known-callers.ts'
import { requireOrganization } from './require-organization.ts'
import { upsertMembership, upsertUser } from './store.ts'

export const SetMember = z.object({
  org: z.string(),
  email: z.email(),
  name: z.string().trim().min(1).optional(),
  role: Role,
})

/** Makes a person a member of an organization, or gives a member another role: from now on, with every key they have. */
export async function setMember({ db }: Pick<Services, 'db'>, input: z.input<typeof SetMember>) {
  const parsed = SetMember.safeParse(input)
  if (!parsed.success) throw invalid(sentencesOf(parsed.error))
  const { org, email, name, role } = parsed.data
  await db.transaction(async (tx) => {
    const { id: organizationId } = await requireOrganization(tx, org)
    const address = email.toLowerCase()
    const user = await upsertUser(tx, {
      id: randomUUID(),
      email: address,
      name: name ?? address.split('@')[0] ?? address,
    })
    await keepAnAdmin(tx, organizationId, async () => {
      await upsertMembership(tx, { organizationId, userId: user.id, role })
    })
  })
  forgetCallers(db)
}
