import type { Organization } from '#contract/identity.ts'

/** The URL names an organization that the caller has no access to, whether it exists or not. */
export class UnavailableOrganization extends Error {
  readonly slug: string
  readonly available: readonly Organization[]

  constructor(slug: string, available: readonly Organization[]) {
    super(`The caller is not a member of the organization "${slug}"`)
    this.name = 'UnavailableOrganization'
    this.slug = slug
    this.available = available
  }
}
