import { Notice } from '#src/ui/Notice.tsx'

/** Why somebody signed in with an organization's key has no feed. */
export const PersonalKeyNeeded = () => (
  <Notice title="Notifications need a personal key.">
    You’re signed in with an organization key. Sign in with a personal key to get notifications.
  </Notice>
)
