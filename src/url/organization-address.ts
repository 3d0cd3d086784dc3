import { splitOrganizationPath } from '#contract/organization-path.ts'

/** The start of every URL of this page. It never changes, because switching the organization loads a new page. */
export const addressBase = () => splitOrganizationPath(window.location.pathname).base
