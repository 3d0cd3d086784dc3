import type { Organization } from '#contract/identity.ts'

/** The URL names an organization that the caller has no access to, whether it exists or not. */
export class UnseenOrganization extends Error {
  readonly slug: string
  readonly seen: readonly Organization[]

  constructor(slug: string, seen: readonly Organization[]) {
    super(`The caller is not a member of the organization "${slug}"`)
    this.name = 'UnseenOrganization'
    this.slug = slug
    this.seen = seen
  }
}
