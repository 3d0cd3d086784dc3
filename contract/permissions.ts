import type { Role } from './identity.ts'

/**
 * The permissions of each role. The platform enforces them, and the page uses them to show, hide or explain actions.
 */
const permissions = {
  push: ['admin', 'member'],
  submit: ['admin', 'member'],
  cancel: ['admin', 'member'],
  deleteImportedRuns: ['admin'],
  readBalance: ['admin'],
  spendByUser: ['admin'],
  reloadCredits: ['admin'],
  saveInsight: ['admin', 'member'],
  /** Edit, share, overwrite and delete other people's insights. Everyone can do this with their own. */
  changeAnyInsight: ['admin'],
  manageSecrets: ['admin'],
  /** Change Context records and decide suggestions. Everyone can suggest changes. */
  manageContext: ['admin'],
  /** Members, invitations, the organization's API keys, its settings and its audit log. */
  manageOrganization: ['admin'],
  /** Publish other people's reports, and revoke their public pages. Everyone can do this with their own. */
  publishAnyReport: ['admin'],
  /** Reports belong to the organization: everyone who can read one can change and delete it. */
  writeReports: ['admin', 'member'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissions

/** `can(organization).push`: whether the role in that organization allows it. */
export const can = ({ role }: { role: Role }): Readonly<Record<Permission, boolean>> => allowed[role]

const allowedTo = (role: Role) =>
  Object.fromEntries(
    Object.entries(permissions).map(([permission, roles]) => [permission, (roles as readonly Role[]).includes(role)]),
  ) as Record<Permission, boolean>

/** Made once, because every request asks. */
const allowed: Record<Role, Record<Permission, boolean>> = { admin: allowedTo('admin'), member: allowedTo('member') }
