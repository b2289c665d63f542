package core;

public record Money(long cents, String currency) {
    public Money {
        if (currency == null || currency.length() != 3) {
            throw new IllegalArgumentException("currency");
        }
    }

    public Money plus(Money other) {
        if (!currency.equals(other.currency)) {
            throw new IllegalArgumentException(other.currency);
        }
        return new Money(cents + other.cents, currency);
    }

    public Money times(int n) {
        return new Money(cents * n, currency);
    }
}
