import classes from './ExperimentName.module.css'

/** The name people read beside the id queries use. */
export const ExperimentName = ({ id, name }: { id: string; name: string }) => (
  <span className={classes.root} title={name}>
    <span className={classes.name}>{name}</span>
    <span className={classes.id}>{id}</span>
  </span>
)
