import type { Organization } from '#contract/identity.ts'

/** The address names an organization that the caller does not see, whether it exists or not. */
export class UnseenOrganization extends Error {
  readonly slug: string
  readonly seen: readonly Organization[]

  constructor(slug: string, seen: readonly Organization[]) {
    super(`The organization "${slug}" is not one of the caller's`)
    this.name = 'UnseenOrganization'
    this.slug = slug
    this.seen = seen
  }
}
