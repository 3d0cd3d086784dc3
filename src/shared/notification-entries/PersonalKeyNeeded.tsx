import { Notice } from '#src/ui/Notice.tsx'

/** Explains why an organization key has no notifications. */
export const PersonalKeyNeeded = () => (
  <Notice title="Notifications need a personal key.">
    You’re signed in with an organization key. Sign in with a personal key to get notifications.
  </Notice>
)
