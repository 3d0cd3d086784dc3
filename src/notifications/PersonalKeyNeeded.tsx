import { Notice } from '#src/ui/Notice.tsx'

/** Why somebody signed in with an organization's key has no feed. */
export const PersonalKeyNeeded = () => (
  <Notice title="Notifications need a personal key.">
    You are signed in with a key of the organization, which belongs to nobody in particular. Sign in with a key of your
    own to see what concerns you.
  </Notice>
)
