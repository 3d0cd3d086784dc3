import { UnstyledButton } from '@mantine/core'

import type { Problem } from '#src/editor/check-text.ts'
import { counted } from '#src/format/numbers.ts'
import { Section } from '#src/ui/Section.tsx'
import classes from './ProblemList.module.css'

const most = 20

type Props = { noun: 'problem' | 'warning'; problems: readonly Problem[]; onGo: (position: number) => void }

/** The problems by line; each links to its position in the editor. */
export const ProblemList = ({ noun, problems, onGo }: Props) => (
  <Section title={counted(problems.length, noun)}>
    <ol className={classes.list} aria-live="polite" data-noun={noun}>
      {problems.slice(0, most).map(({ from, line, message }) => (
        <li key={`${from} ${message}`}>
          <UnstyledButton className={classes.problem} onClick={() => onGo(from)}>
            <span className={classes.line}>Line {line}</span> {message}
          </UnstyledButton>
        </li>
      ))}
    </ol>
  </Section>
)
