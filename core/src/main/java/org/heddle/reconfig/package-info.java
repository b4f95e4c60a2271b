/** What it takes to bring a running fabric from one state of its tables to another. */
package org.heddle.reconfig;
