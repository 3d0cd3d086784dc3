import { Anchor, Popover } from '@mantine/core'

import type { Secret } from '#contract/secrets.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './secrets.module.css'

/** The experiments whose latest version uses a secret: a single one as a link, several as their number. */
export function UsedBy({ secret: { slug, usedBy } }: { secret: Secret }) {
  const [only] = usedBy
  if (!only) return '–'
  if (usedBy.length === 1) return <ExperimentLink {...only} />
  return (
    <Popover position="bottom-start" trapFocus withinPortal>
      <Popover.Target>
        <Anchor component="button" type="button" fz={13} aria-label={`${slug} is used by ${usedBy.length} experiments`}>
          {counted(usedBy.length, 'experiment')}
        </Anchor>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={classes.uses} aria-label={`Experiments that use ${slug}`}>
          {usedBy.map((experiment) => (
            <li key={experiment.experimentId}>
              <ExperimentLink {...experiment} />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}

const ExperimentLink = ({ experimentId, name }: Secret['usedBy'][number]) => (
  <TextLink className={classes.use} href={paths.experiment(experimentId, 'definition')}>
    {name}
  </TextLink>
)
