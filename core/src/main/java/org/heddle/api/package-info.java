/** The mark of packages that others may build upon: {@link org.heddle.api.PublicApi}. */
@PublicApi
package org.heddle.api;
