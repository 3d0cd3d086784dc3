import { demoIsOffMessage } from '#contract/session.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './SignInPage.module.css'

const command = 'npm run -s assay -- key create --org demo --email you@example.com --role admin --kind personal'

/** Why nobody is signed in by itself any more, and how to get in. */
export const DemoIsOff = () => (
  <Notice title="Demo sign-in is off">
    <p className={classes.hint}>{demoIsOffMessage} Whoever operates this installation can create one:</p>
    <code className={classes.command}>{command}</code>
  </Notice>
)
