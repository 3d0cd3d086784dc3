import classes from './labels.module.css'

/** `people`: how many people used it, if more than one did. */
export const Tag = ({ name, people = 1, title }: { name: string; people?: number; title?: string }) => (
  <span className={classes.tag} title={title}>
    {name}
    {people > 1 && <span className={classes.people}> ×{people}</span>}
  </span>
)
