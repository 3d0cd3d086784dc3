import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'

import { Evidence } from '#contract/context-suggestions.ts'
import { limits } from '#contract/wire/limit.ts'
import classes from './EvidenceFields.module.css'
import type { DraftedEvidence } from './suggestion-draft.ts'

type Props = { evidence: readonly DraftedEvidence[]; onChange: (evidence: DraftedEvidence[]) => void }

const faultOf = ({ url, description }: DraftedEvidence) =>
  url.trim() === '' && description.trim() === ''
    ? undefined
    : Evidence.safeParse({ url, description }).error?.issues.find(({ path }) => path[0] === 'url')?.message

/** Up to five links that support a suggestion. */
export function EvidenceFields({ evidence, onChange }: Props) {
  const change = (at: number, part: Partial<Evidence>) =>
    onChange(evidence.map((item, index) => (index === at ? { ...item, ...part } : item)))
  return (
    <fieldset className={classes.evidence}>
      <legend className={classes.legend}>
        Evidence <span className={classes.hint}>Optional, up to {limits.evidence} links</span>
      </legend>
      {evidence.map((item, at) => (
        <div key={item.id} className={classes.item}>
          <TextInput
            aria-label={`Link ${at + 1}`}
            placeholder="https://…"
            value={item.url}
            error={faultOf(item)}
            onChange={(event) => change(at, { url: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Description of link ${at + 1}`}
            placeholder="Description"
            maxLength={1000}
            value={item.description}
            onChange={(event) => change(at, { description: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove link ${at + 1}`}
            onClick={() => onChange(evidence.filter((_, index) => index !== at))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {evidence.length < limits.evidence && (
        <Button
          variant="default"
          className={classes.add}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...evidence, { id: crypto.randomUUID(), url: '', description: '' }])}
        >
          Add link
        </Button>
      )}
    </fieldset>
  )
}
