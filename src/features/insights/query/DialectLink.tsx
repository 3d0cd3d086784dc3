import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './QueryPage.module.css'

/** Names the dialect of the editor and links to what of it is supported. */
export const DialectLink = () => (
  <p className={classes.dialect}>
    ClickHouse SQL · <TextLink href={paths.sqlReference()}>SQL reference</TextLink>
  </p>
)
