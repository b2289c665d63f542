package p;
class B { static String text() { return "main"; } }
