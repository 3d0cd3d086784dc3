import { useLocalStorage } from '@mantine/hooks'

import type { SandboxStatus } from '#contract/identity.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './Shell.module.css'

/** Said once: real runs cannot start here, and why. */
export function SandboxNotice({ sandbox }: { sandbox: SandboxStatus }) {
  const reason = sandbox.reason ?? 'no sandbox was found'
  const [seen, setSeen] = useLocalStorage({
    key: 'assay.sandbox-notice',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  if (sandbox.available || seen === reason) return null
  return (
    <div className={classes.notice}>
      <Notice title="Real runs cannot start on this machine." onClose={() => setSeen(reason)}>
        {reason} Mock runs take the same path and work here.
      </Notice>
    </div>
  )
}
