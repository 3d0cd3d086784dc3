import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'

import { limits } from '#contract/wire/limit.ts'
import formParts from '#src/ui/form-parts.module.css'
import classes from './EvidenceFields.module.css'
import type { SuggestionFormState } from './use-suggestion-form.ts'

/** Up to five links that support a suggestion. */
export function EvidenceFields({ form }: { form: SuggestionFormState }) {
  const { evidence } = form.values
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
            {...form.getInputProps(`evidence.${at}.url`)}
          />
          <TextInput
            aria-label={`Description of link ${at + 1}`}
            placeholder="Description"
            maxLength={1000}
            {...form.getInputProps(`evidence.${at}.description`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove link ${at + 1}`}
            onClick={() => form.removeListItem('evidence', at)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {evidence.length < limits.evidence && (
        <Button
          variant="default"
          className={formParts.verbAtStart}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem('evidence', { id: crypto.randomUUID(), url: '', description: '' })}
        >
          Add link
        </Button>
      )}
    </fieldset>
  )
}
