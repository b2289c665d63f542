package jopt.maven;

/** A limit of a {@link Rule}: for which counter and value, and how much. */
public final class Limit {
    String counter;
    String value;
    String minimum;
    String maximum;
}
