package org.heddle.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A package that programs and plug-ins of others may use: what is public in it changes only with
 * the second number of Heddle's version, and with a word in its notes. Packages without this mark
 * are parts that may change at any time, whatever is public in them.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PACKAGE)
public @interface PublicApi {}
