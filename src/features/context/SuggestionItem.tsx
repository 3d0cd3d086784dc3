import '#src/ui/status-marks.css'
import { useId } from 'react'

import { suggestionCan } from '#contract/context-suggestions.ts'
import type { ShownSuggestion } from '#src/api/context-suggestions.ts'
import { reveal } from '#src/ui/reveal.ts'
import { paths } from '#src/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import rowButton from '#src/ui/row-button.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './suggestions.module.css'
import { DecisionForm } from './DecisionForm.tsx'
import { FieldDiff } from './FieldDiff.tsx'
import { fieldLabels, kindLabels, statusMarks } from './labels.ts'
import { SuggestionActions } from './SuggestionActions.tsx'

/** A suggestion as a row that expands. The URL has the id of the expanded one. */
export function SuggestionItem({ suggestion, canDecide }: { suggestion: ShownSuggestion; canDecide: boolean }) {
  const url = useQueryState()
  const bodyId = useId()
  const { suggestionId, kind, targetId, targetName, proposed, status, updatedAt, author } = suggestion
  const isOpen = url.one('suggestion') === suggestionId
  const { glyph, label, tone } = statusMarks[status]
  return (
    <li className={classes.item} ref={isOpen ? reveal : undefined}>
      <button
        type="button"
        className={`${rowButton.row} ${classes.line}`}
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={() => url.push({ suggestion: isOpen ? null : suggestionId })}
      >
        <span className={classes.status} data-tone={tone}>
          <span aria-hidden className={classes.glyph}>
            {glyph}
          </span>
          {label}
        </span>
        <span className={classes.what}>
          <strong className={classes.name}>{targetName}</strong>{' '}
          <span className={mutedText.plain}>{Object.keys(proposed).map(fieldLabels).join(', ')}</span>
        </span>
        <span className={classes.when}>
          {author && <span className={classes.author}>{author.name}</span>}
          <RelativeTime at={updatedAt} />
        </span>
      </button>
      {isOpen && (
        <div id={bodyId} className={classes.body}>
          <p className={classes.target}>
            {kindLabels[kind]} <TextLink href={paths.contextRecord({ kind, id: targetId })}>{targetId}</TextLink>, based
            on revision {suggestion.baseRevision}
          </p>
          <StaleNotice suggestion={suggestion} />
          <SuggestionBody suggestion={suggestion} />
          {suggestion.isOwn !== false && <SuggestionActions suggestion={suggestion} />}
          {canDecide && <DecisionForm suggestion={suggestion} />}
        </div>
      )}
    </li>
  )
}

/** Says that the record changed since the suggestion was made, and what can be done about it. */
function StaleNotice({ suggestion }: { suggestion: ShownSuggestion }) {
  const { baseRevision, targetRevision, isOwn = true, author } = suggestion
  if (targetRevision === baseRevision || !suggestionCan.decide(suggestion)) return null
  return (
    <Notice title={`The record has changed and is now at revision ${targetRevision}.`}>
      This suggestion can no longer be accepted.{' '}
      {isOwn
        ? 'Replace it to compare your text with the current record.'
        : `The differences below compare it with the current record. ${author?.name ?? 'The author'} can replace the suggestion.`}
    </Notice>
  )
}

function SuggestionBody({ suggestion }: { suggestion: ShownSuggestion }) {
  const { proposed, reason, evidence, decisionNote, decidedBy } = suggestion
  // A decided suggestion is compared with the revision it was made for.
  const before = (suggestionCan.decide(suggestion) && suggestion.current) || suggestion.base
  return (
    <>
      {Object.entries(proposed).map(([name, after]) => (
        <FieldDiff key={name} name={name} before={before[name] ?? ''} after={after} />
      ))}
      <p className={classes.reason}>{reason}</p>
      {evidence.length > 0 && (
        <ul aria-label="Evidence" className={classes.links}>
          {evidence.map(({ url, description }) => (
            <li key={`${url} ${description}`}>
              <a href={url} target="_blank" rel="noreferrer noopener" className={classes.link}>
                {description || url}
              </a>
            </li>
          ))}
        </ul>
      )}
      {decisionNote && (
        <p className={classes.note}>
          <strong>{decidedBy?.name ?? 'Your organization'}:</strong> {decisionNote}
        </p>
      )}
    </>
  )
}
