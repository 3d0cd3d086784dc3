import { demoIsOffMessage } from '#contract/session.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './SignInPage.module.css'

const command = 'npm run -s assay -- key create --org demo --email you@example.com --role admin --kind personal'

/** Says why the demo sign-in has ended, and how to sign in. */
export const DemoIsOff = () => (
  <Notice title="Demo sign-in is off">
    <p className={classes.hint}>{demoIsOffMessage} The operator of this installation can create one:</p>
    <code className={classes.command}>{command}</code>
  </Notice>
)
