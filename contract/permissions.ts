import type { Role } from './identity.ts'

/** What a role may do; the platform guards with it and the page shows, hides or explains with it. */
const permissions = {
  push: ['admin', 'member'],
  submit: ['admin', 'member'],
  cancel: ['admin', 'member'],
  readBalance: ['admin'],
  spendByUser: ['admin'],
  reloadCredits: ['admin'],
  saveInsight: ['admin', 'member'],
  /** Edit, share, overwrite and delete what others made; everybody may with their own. */
  changeAnyInsight: ['admin'],
  manageSecrets: ['admin'],
  /** Reports belong to the organization: whoever may read one may change and delete it. */
  writeReports: ['admin', 'member'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

/** `can(organization).push`: whether the role in that organization allows it. */
export const can = ({ role }: { role: Role }) =>
  Object.fromEntries(
    Object.entries(permissions).map(([permission, roles]) => [permission, (roles as readonly Role[]).includes(role)]),
  ) as Record<Permission, boolean>
