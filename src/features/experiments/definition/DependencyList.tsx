import type { Dependency } from '#contract/definition.ts'
import classes from './Dependencies.module.css'

type Props = { dependencies: readonly (Dependency & { packaged?: boolean })[] }

/** Where each file comes from and goes; for a stored version also whether its package holds it. */
export const DependencyList = ({ dependencies }: Props) => (
  <ul className={classes.list}>
    {dependencies.map(({ source, dest, kind, packaged }) => (
      <li key={`${source} ${dest}`}>
        <span className={classes.source}>
          {source} → {kind === 'skill' ? `skill ${dest.replace(/^\.skills\//, '')}` : dest}
        </span>
        {packaged !== undefined && (
          <span className={packaged ? classes.packaged : classes.missing}>{packaged ? '✓ packaged' : '✕ missing'}</span>
        )}
      </li>
    ))}
  </ul>
)
