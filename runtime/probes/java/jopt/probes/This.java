// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

package jopt.probes;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The object whose method runs; null in a static method. If the declared type {@code T} is another
 * than {@link Object}, all callbacks of the probe class are applied only to methods of {@code T} and of
 * what extends or implements it, and to no static ones. In any callback of a probe of constructors it
 * puts {@code onEnter} behind the call of the super constructor.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.CLASS)
public @interface This {}
