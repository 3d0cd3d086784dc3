import { Link } from 'react-router'

import type { ExperimentVersion } from '#contract/experiments.ts'
import { paths } from '#src/paths.ts'
import classes from './VersionRail.module.css'

type Props = { version: ExperimentVersion; shown: ExperimentVersion | undefined }

/** Compares a version with the shown one; the older is on the left. */
export function CompareLink({ version, shown }: Props) {
  if (!shown) return null
  const [before, after] = version.ordinal < shown.ordinal ? [version, shown] : [shown, version]
  return (
    <Link
      className={classes.compare}
      aria-label={`Compare v${before.ordinal} with v${after.ordinal}`}
      to={paths.experiment(version.experimentId, 'definition', {
        version: after.fingerprint,
        against: before.fingerprint,
      })}
      preventScrollReset
    >
      Compare
    </Link>
  )
}
