import { z } from 'zod'

import { audited } from '#platform/audit/audited.ts'
import { preconditionFailed } from '#platform/failures/failure.ts'
import { rotateSecrets } from '#platform/secrets/rotate-secrets.ts'
import { command } from './command.ts'

export const rotateSecretsCommand = command({
  name: 'secrets rotate',
  input: z.object({}),
  run: async (services, _, report) => {
    const { rotated, unreadable } = await rotateSecrets(services, (done) => report({ done, label: 'secrets' }))
    const details = { rotated, unreadable: unreadable.length }
    await audited(services, async (_, record) => record({ event: 'secret.rotate', organizationId: null, details }))
    if (unreadable.length === 0)
      return [`Encrypted ${rotated} secrets with the newest key; older keys are no longer needed for secrets`]
    const left = unreadable.map(({ organizationId, slug }) => `${slug} of organization ${organizationId}`)
    throw preconditionFailed(
      `Encrypted ${rotated} secrets with the newest key, but no configured key decrypts ${left.join(', ')}: configure the key that encrypted them, or set them again`,
    )
  },
})
