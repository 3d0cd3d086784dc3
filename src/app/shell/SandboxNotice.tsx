import { useLocalStorage } from '@mantine/hooks'

import type { SandboxStatus } from '#contract/identity.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './Shell.module.css'

/** Shown once: why real runs can't start here. */
export function SandboxNotice({ sandbox }: { sandbox: SandboxStatus }) {
  const reason = sandbox.reason ?? 'No sandbox found.'
  const [seen, setSeen] = useLocalStorage({
    key: 'assay.sandbox-notice',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  if (sandbox.available || seen === reason) return null
  return (
    <div className={classes.notice}>
      <Notice title="Real runs aren’t available on this machine." onClose={() => setSeen(reason)}>
        {reason} Mock runs still work.
      </Notice>
    </div>
  )
}
