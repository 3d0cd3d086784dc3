import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconPencil } from '@tabler/icons-react'

import { referenceTo } from '#contract/secret-references.ts'
import type { Secret } from '#contract/secrets.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { DeleteSecret } from './DeleteSecret.tsx'
import classes from './secrets.module.css'

/** The actions on a secret. People who can't manage secrets can copy references. */
export function SecretActions({ secret, manages }: { secret: Secret; manages: boolean }) {
  const url = useQueryState()
  const clipboard = useClipboard({ timeout: 1500 })
  const reference = referenceTo(secret.slug)
  return (
    <span className={classes.actions}>
      <Tooltip label={clipboard.copied ? 'Copied' : reference}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Copy the reference to ${secret.slug}`}
          onClick={() => clipboard.copy(reference)}
        >
          {clipboard.copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      {manages && (
        <>
          <Tooltip label="Replace">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Replace ${secret.slug}`}
              onClick={() => url.push({ replace: secret.slug })}
            >
              <IconPencil size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <DeleteSecret secret={secret} />
        </>
      )}
      <output className={classes.said}>{clipboard.copied && `Copied ${reference}`}</output>
    </span>
  )
}
