import { Anchor } from '@mantine/core'

import type { ExperimentResource } from '#contract/resources.ts'
import classes from './OverviewTab.module.css'

/** Links out; only web addresses become links. */
export const ResourceList = ({ resources }: { resources: readonly ExperimentResource[] }) => (
  <ul className={classes.tests}>
    {resources.map(({ id, title, url }) => (
      <li key={id}>
        {/^https?:\/\//i.test(url) ? (
          <Anchor href={url} target="_blank" rel="noreferrer noopener" fz={13}>
            {title}
          </Anchor>
        ) : (
          `${title}: ${url}`
        )}
      </li>
    ))}
  </ul>
)
